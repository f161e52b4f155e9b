import { Page } from "./page.tsx";
import { Problem } from "./states.tsx";

interface ProblemPageProps {
  title: string;
  /** The list of all things of the kind. */
  list: { to: string; label: string };
  error: unknown;
  onRetry: () => void;
}

/** In place of the page of one thing: why it cannot be shown, and the way to all of them. */
export function ProblemPage({ title, list, error, onRetry }: ProblemPageProps) {
  return (
    <Page title={title} back={list}>
      <Problem error={error} onRetry={onRetry} />
    </Page>
  );
}
