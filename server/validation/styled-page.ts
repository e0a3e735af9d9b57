/** An HTML document that shows the same everywhere: one style sheet, allowed by its hash, and no script. */
import { createHash } from 'node:crypto';
import { escapeHtml } from './rich-text.ts';

/** @param body what stands between the tags of the body, escaped */
export function styledPage(title: string, style: string, body: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
