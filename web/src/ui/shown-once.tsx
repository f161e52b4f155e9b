import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";
import { notify } from "./notices.tsx";
import { useUiTexts } from "./texts.ts";

interface ShownOnceProps {
  /** That it is shown this once, and what it is for. */
  warning: string;
  value: string;
  onClose: () => void;
}

/** A secret that nobody can read again, with a way to copy it. */
export function ShownOnce({ warning, value, onClose }: ShownOnceProps) {
  const texts = useUiTexts();
  const copy = () => copyText(value).then(() => notify(texts.copied));
  return (
    <div className="grid gap-4">
      <p className="text-warn">{warning}</p>
      <output className="rounded-md bg-sunken p-3 font-mono text-xs wrap-anywhere select-all">
        {value}
      </output>
      <div className="flex flex-wrap gap-2">
        <Button look="primary" onClick={() => void copy()} autoFocus>
          {texts.copy}
        </Button>
        <Button onClick={onClose}>{texts.done}</Button>
      </div>
    </div>
  );
}
