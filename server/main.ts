#!/usr/bin/env node
/** The program `berth`: the command line of this process. */
import { runCommand } from './cli/run-command.ts';

// the reader of the output may end before this process: what cannot be written is lost, and no command ends or spins because of it
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
process.exitCode = await runCommand(process.argv.slice(2));
