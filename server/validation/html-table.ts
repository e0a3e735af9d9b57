/** A table of a report, in a box that scrolls where it is too wide. */

/** @param head - and rows: cells as HTML */
export function htmlTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = head.map((cell) => `<th>${cell}</th>`).join('');
  return `<div class="scroll"><table>
<thead><tr>${heads}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}
</tbody></table></div>`;
}
