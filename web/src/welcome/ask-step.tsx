import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { askDocuments } from "./queries.ts";
import { Step } from "./step.tsx";
import { useWelcomeTexts } from "./texts.ts";
import { newId } from "../api/new-id.ts";

interface AskStepProps {
  /** Whether the file is read. */
  isReady: boolean;
  hasFile: boolean;
  question: string;
  onQuestion: (question: string) => void;
  onAsked: () => void;
}

/** Asks about the file, at once or as soon as it is read, and goes to the answer. */
export function AskStep(props: AskStepProps) {
  const { isReady, hasFile, question, onQuestion, onAsked } = props;
  const texts = useWelcomeTexts();
  const navigate = useNavigate();
  const [key] = useState(() => newId());
  const [isWaiting, setWaiting] = useState(false);
  const asking = useMutation({
    mutationFn: () => askDocuments(question, key),
    async onSuccess(id) {
      onAsked();
      await navigate({ to: "/c/$id", params: { id } });
    },
  });
  const { mutate } = asking;
  useEffect(() => {
    if (!isWaiting || !isReady) return;
    setWaiting(false);
    mutate();
  }, [isWaiting, isReady, mutate]);
  return (
    <Step title={texts.askTitle}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          setWaiting(true);
        }}
      >
        <TextField
          label={texts.question}
          placeholder={texts.placeholder}
          hint={texts.askHint}
          value={question}
          maxLength={10_000}
          required
          onChange={(event) => onQuestion(event.target.value)}
        />
        {asking.error && <Problem error={asking.error} />}
        <Button
          type="submit"
          look="primary"
          className="justify-self-start"
          busy={isWaiting || asking.isPending}
          disabled={!hasFile}
        >
          {texts.ask}
        </Button>
      </form>
    </Step>
  );
}
