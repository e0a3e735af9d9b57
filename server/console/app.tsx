/** Header, message line, and the open page. */
import type { JSX } from 'preact';
import { PermitDialog } from './energy/permit-dialog.tsx';
import { ClearDialog } from './fly/clear-dialog.tsx';
import { ScenarioDialog } from './scenario/scenario-dialog.tsx';
import { PAGES } from './pages.ts';
import { hash } from './router.ts';
import { Header } from './shell/header.tsx';
import { Notices } from './shell/notices.tsx';
import { connection, freshness } from './store.ts';

export function App(): JSX.Element {
  const { Page, hash: open } = PAGES.find((page) => page.hash === hash.value) ?? PAGES[0];
  return (
    <div class="console" data-connection={connection.value} data-quality={freshness.value}>
      <Header pages={PAGES} open={open} />
      <Notices />
      <main key={open} class={`page page-${open.slice(2)}`}>
        <Page />
      </main>
      <PermitDialog />
      <ClearDialog />
      <ScenarioDialog />
    </div>
  );
}
