import { Link } from "@tanstack/react-router";
import { Section } from "../../ui/section.tsx";
import type { Run } from "./queries.ts";
import { useRunTexts } from "./texts.ts";

/** The words of the medium, or the input of a schedule: what the agents received. */
export function Transcript({ run }: { run: Run }) {
  const texts = useRunTexts();
  const { transcript, conversationId, medium } = run;
  if (transcript === null) return null;
  const open = conversationId && (
    <Link to="/c/$id" params={{ id: conversationId }} className="text-accent underline">
      {texts.openTranscript}
    </Link>
  );
  return (
    <Section title={medium ? texts.read : texts.input} actions={open}>
      <p
        dir="auto"
        tabIndex={0}
        className={
          "max-h-80 overflow-y-auto rounded-lg bg-sunken p-4 whitespace-pre-wrap wrap-anywhere"
        }
      >
        {transcript}
      </p>
    </Section>
  );
}
