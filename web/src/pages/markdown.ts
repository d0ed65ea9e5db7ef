/** Enough of Markdown for the rule books: headings, lists, tables, fenced text; bold, italic and code within. */

export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; items: string[] }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "code"; text: string };

export interface Part {
  kind: "plain" | "bold" | "italic" | "code";
  text: string;
}

const MARKS = /\*\*(?<bold>.+?)\*\*|\*(?<italic>.+?)\*|`(?<code>[^`]+)`/g;

/** The pieces of a line, in order. */
export function parts(line: string): Part[] {
  const found: Part[] = [];
  let end = 0;
  for (const match of line.matchAll(MARKS)) {
    if (match.index > end) found.push({ kind: "plain", text: line.slice(end, match.index) });
    const { bold, italic, code } = match.groups ?? {};
    if (bold !== undefined) found.push({ kind: "bold", text: bold });
    else if (italic !== undefined) found.push({ kind: "italic", text: italic });
    else found.push({ kind: "code", text: code ?? "" });
    end = match.index + match[0].length;
  }
  if (end < line.length) found.push({ kind: "plain", text: line.slice(end) });
  return found;
}

const cells = (line: string): string[] =>
  line
    .replace(/^\||\|\s*$/g, "")
    .split("|")
    .map((cell) => cell.trim());

const STARTS = /^(#{1,6} |- |\||```)/;

export function readBook(text: string): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    if (line.trim() === "") at += 1;
    else at = readBlock(lines, at, blocks);
  }
  return blocks;
}

/** Read one block from here; gives the line after it. */
function readBlock(lines: readonly string[], from: number, blocks: Block[]): number {
  const line = lines[from] ?? "";
  const heading = /^(#{1,6}) (.*)$/.exec(line);
  if (heading !== null) {
    blocks.push({ kind: "heading", level: heading[1]?.length ?? 2, text: heading[2] ?? "" });
    return from + 1;
  }
  if (line.startsWith("```")) {
    const end = lines.findIndex((other, at) => at > from && other.startsWith("```"));
    const to = end < 0 ? lines.length : end;
    blocks.push({ kind: "code", text: lines.slice(from + 1, to).join("\n") });
    return to + 1;
  }
  if (line.startsWith("|")) return readTable(lines, from, blocks);
  if (line.startsWith("- ")) return readList(lines, from, blocks);
  const to = endOfText(lines, from + 1);
  blocks.push({ kind: "paragraph", text: lines.slice(from, to).join(" ") });
  return to;
}

function readTable(lines: readonly string[], from: number, blocks: Block[]): number {
  let to = from;
  while (lines[to]?.startsWith("|") === true) to += 1;
  const rows = lines.slice(from, to).map(cells);
  blocks.push({ kind: "table", head: rows[0] ?? [], rows: rows.slice(2) });
  return to;
}

function readList(lines: readonly string[], from: number, blocks: Block[]): number {
  const items: string[] = [];
  let at = from;
  while (lines[at]?.startsWith("- ") === true) {
    const to = endOfText(lines, at + 1);
    items.push(
      lines
        .slice(at, to)
        .map((line) => line.replace(/^- /, "").trim())
        .join(" "),
    );
    at = to;
  }
  blocks.push({ kind: "list", items });
  return at;
}

function endOfText(lines: readonly string[], from: number): number {
  let to = from;
  while (to < lines.length && (lines[to] ?? "").trim() !== "" && !STARTS.test(lines[to] ?? "")) to += 1;
  return to;
}
