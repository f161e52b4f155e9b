import { ArrowUp, Mic, Paperclip, Square } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { IconButton } from "../ui/icon-button.tsx";
import { notify } from "../ui/notices.tsx";
import { type Dictation, useDictation } from "./dictation.ts";
import { useChatTexts } from "./texts.ts";

interface ComposerButtonsProps {
  onFiles: (files: readonly File[]) => void;
  /** Takes what the user dictates. */
  onText: (text: string) => void;
  /** What was dictated can be read, changed and sent. */
  onTextEnd: () => void;
  /** Stops the answer in progress; absent while there is none. */
  onStop: (() => void) | undefined;
  canSend: boolean;
  /** The choice of who answers, beside the buttons. */
  picker: ReactNode;
}

/** The row below the text: files, dictation, who answers, and send or stop. */
export function ComposerButtons(props: ComposerButtonsProps) {
  const { onFiles, onText, onTextEnd, onStop, canSend, picker } = props;
  const texts = useChatTexts();
  const failures: Record<string, string> = texts.dictationFailures;
  const dictation = useDictation({
    onText,
    onFailure: (reason) => notify(failures[reason] ?? texts.dictationFailed),
  });
  return (
    <div className="flex items-center gap-1 px-2 pb-2">
      <AttachButton onFiles={onFiles} />
      {dictation && <DictateButton dictation={dictation} onEnd={onTextEnd} />}
      <div className="min-w-0 flex-1">{picker}</div>
      {onStop ? (
        <IconButton icon={Square} label={texts.stop} onClick={onStop} />
      ) : (
        <IconButton
          icon={ArrowUp}
          label={texts.send}
          type="submit"
          disabled={!canSend}
          className="bg-accent text-on-accent hover:bg-accent hover:text-on-accent"
        />
      )}
    </div>
  );
}

function AttachButton({ onFiles }: Pick<ComposerButtonsProps, "onFiles">) {
  const texts = useChatTexts();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <IconButton
        icon={Paperclip}
        label={texts.attach}
        onClick={() => input.current?.click()}
      />
    </>
  );
}

interface DictateButtonProps {
  dictation: Dictation;
  onEnd: () => void;
}

function DictateButton({ dictation, onEnd }: DictateButtonProps) {
  const texts = useChatTexts();
  return (
    <IconButton
      icon={Mic}
      label={dictation.isListening ? texts.stopDictating : texts.dictate}
      pressed={dictation.isListening}
      onClick={() => {
        dictation.toggle();
        if (dictation.isListening) onEnd();
      }}
    />
  );
}
