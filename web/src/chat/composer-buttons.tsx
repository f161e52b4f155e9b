import { ArrowUp, Plus, Square } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { useWhenIdle } from "../shell/use-when-idle.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { useFilePicker } from "../ui/use-file-picker.tsx";
import { useChatTexts } from "./texts.ts";

const DictateButton = lazyPart(() => import("./dictate-button.tsx"), "DictateButton");
/** Where the button will be. */
const PLACE = <span className="size-8 pointer-coarse:size-11" />;
/** By a model of the server, or by the browser, in most of them under a name with a prefix. */
const CAN_DICTATE = ["MediaRecorder", "SpeechRecognition", "webkitSpeechRecognition"].some(
  (name) => name in globalThis,
);

interface ComposerButtonsProps {
  onFiles: (files: readonly File[]) => void;
  /** Takes what the user dictates. */
  onText: (text: string) => void;
  /** What was dictated can be read, changed and sent. */
  onTextEnd: () => void;
  /** Stops the answer in progress; absent while there is none. */
  onStop: (() => void) | undefined;
  canSend: boolean;
  /** What the model may use; absent where an agent decides. */
  switches: ReactNode;
  /** The choice of who answers, beside the buttons. */
  picker: ReactNode;
}

/** The row below the text: files, switches, dictation, who answers, and send or stop. */
export function ComposerButtons(props: ComposerButtonsProps) {
  const { onFiles, onText, onTextEnd, onStop, canSend, switches, picker } = props;
  const texts = useChatTexts();
  const [isIdle, setIdle] = useState(false);
  useWhenIdle(() => setIdle(true));
  return (
    <div className="@container flex items-center gap-0.5 px-2 pb-2">
      <AttachButton onFiles={onFiles} />
      {switches}
      {picker}
      {CAN_DICTATE && (
        <Suspense fallback={PLACE}>
          {isIdle ? <DictateButton onText={onText} onEnd={onTextEnd} /> : PLACE}
        </Suspense>
      )}
      {onStop ? (
        <IconButton
          icon={Square}
          label={texts.stop}
          onClick={onStop}
          className={`${ROUND} bg-ink text-page hover:bg-ink hover:text-page [&_svg]:size-3.5 [&_svg]:fill-current`}
        />
      ) : (
        <IconButton
          icon={ArrowUp}
          label={texts.send}
          type="submit"
          disabled={!canSend}
          className={
            `${ROUND} bg-accent text-on-accent hover:bg-accent-strong hover:text-on-accent ` +
            "disabled:bg-sunken disabled:text-muted disabled:opacity-100"
          }
        />
      )}
    </div>
  );
}

/** The one button of the composer that is filled. */
const ROUND = "ml-1 size-9! rounded-full! pointer-coarse:size-11!";

function AttachButton({ onFiles }: Pick<ComposerButtonsProps, "onFiles">) {
  const texts = useChatTexts();
  const { input, open } = useFilePicker(onFiles);
  return (
    <>
      {input}
      <IconButton
        icon={Plus}
        className="rounded-full!"
        label={texts.attach}
        onClick={open}
      />
    </>
  );
}
