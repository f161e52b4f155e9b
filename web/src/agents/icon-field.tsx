import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Glyph, type IconName, NAMED_ICONS } from "../ui/glyph.tsx";
import { isEmoji } from "../ui/is-emoji.ts";
import { TextField } from "../ui/text-field.tsx";
import { useAgentTexts } from "./texts.ts";
import { isComposing } from "../ui/is-composing.ts";

const ICON_NAMES = Object.keys(NAMED_ICONS) as IconName[]; // its own keys

interface IconFieldProps {
  value: string | null;
  isReadOnly: boolean;
  onChange: (change: { icon: string | null }) => void;
}

/** The picture of an agent: one of the named icons, or an emoji. */
export function IconField({ value, isReadOnly, onChange }: IconFieldProps) {
  const texts = useAgentTexts();
  const [isOpen, setOpen] = useState(false);
  const choose = (icon: string | null) => {
    onChange({ icon });
    setOpen(false);
  };
  return (
    <>
      <Button
        aria-label={texts.chooseIcon}
        title={texts.chooseIcon}
        disabled={isReadOnly}
        className="size-9 px-0 pointer-coarse:size-11"
        onClick={() => setOpen(true)}
      >
        <Glyph value={value} />
      </Button>
      {isOpen && (
        <Dialog title={texts.chooseIcon} size="small" onClose={() => setOpen(false)}>
          <div className="grid gap-4">
            <ul aria-label={texts.namedIcons} className="flex flex-wrap gap-1">
              {ICON_NAMES.map((name) => (
                <li key={name}>
                  <Button
                    look={name === value ? "secondary" : "quiet"}
                    aria-label={texts.icons[name]}
                    title={texts.icons[name]}
                    aria-pressed={name === value}
                    className="size-9 px-0 pointer-coarse:size-11"
                    onClick={() => choose(name)}
                  >
                    <Glyph value={name} />
                  </Button>
                </li>
              ))}
            </ul>
            <EmojiForm value={value} onChoose={choose} />
          </div>
        </Dialog>
      )}
    </>
  );
}

interface EmojiFormProps {
  value: string | null;
  onChoose: (icon: string) => void;
}

function EmojiForm({ value, onChoose }: EmojiFormProps) {
  const texts = useAgentTexts();
  const [text, setText] = useState(value !== null && isEmoji(value) ? value : "");
  const [isWrong, setWrong] = useState(false);
  const submit = () => {
    const emoji = text.trim();
    if (isEmoji(emoji)) onChoose(emoji);
    else setWrong(true);
  };
  return (
    // no form of its own, because the form of the agent contains it
    <div className="flex flex-wrap items-end gap-2">
      <TextField
        label={texts.emoji}
        hint={texts.emojiHint}
        value={text}
        maxLength={16}
        className="min-w-0 flex-1"
        error={isWrong ? texts.emojiWrong : undefined}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || isComposing(event.nativeEvent)) return;
          event.preventDefault();
          submit();
        }}
      />
      <Button onClick={submit}>{texts.use}</Button>
    </div>
  );
}
