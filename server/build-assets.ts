/** Copies what the compiler does not: the status page and the MessagePack library it loads. Run after `tsc`. */
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../config/paths.ts';
import { MSGPACK_FILE, MSGPACK_NAME, PAGE_FOLDER } from './page-files.ts';

const source = join(packageRoot(), 'server', 'page');
mkdirSync(PAGE_FOLDER, { recursive: true });
if (source !== PAGE_FOLDER.replace(/\/$/, '')) cpSync(source, PAGE_FOLDER, { recursive: true });
copyFileSync(MSGPACK_FILE, join(PAGE_FOLDER, MSGPACK_NAME));
