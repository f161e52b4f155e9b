import type { Variable } from "./queries.ts";

interface PreviewProps {
  content: string;
  variables: readonly Variable[];
}

const GAP = /(\{\{\s*[a-zA-Z0-9]+\s*\}\})/;

/** The text with its gaps marked: with what usually stands there, or with what is asked for. */
export function Preview({ content, variables }: PreviewProps) {
  return (
    <div
      dir="auto"
      className="rounded-lg border border-hairline bg-raised p-4 whitespace-pre-wrap wrap-anywhere"
    >
      {content.split(GAP).map((piece, at) => {
        const name = /^\{\{\s*([a-zA-Z0-9]+)\s*\}\}$/.exec(piece)?.[1];
        const variable = variables.find((one) => one.name === name);
        if (!variable) return <span key={at}>{piece}</span>;
        return <mark key={at}>{variable.default ?? variable.label}</mark>;
      })}
    </div>
  );
}
