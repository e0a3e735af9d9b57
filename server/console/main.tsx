/** Entry of the operator console. */
import { render } from 'preact';
import './theme.css';
import { App } from './app.tsx';
import { connect } from './connect.ts';
import { answerKeys } from './fly/answer-keys.ts';
import { stopBySpaceBar } from './shell/stop.tsx';

stopBySpaceBar();
answerKeys();
connect();
render(<App />, document.getElementById('app')!);
