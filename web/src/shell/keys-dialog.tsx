import { Dialog } from "../ui/dialog.tsx";
import { Key } from "../ui/key.tsx";
import { describeKey } from "./keys.ts";
import type { en } from "./texts.ts";
import { useShellTexts } from "./texts.ts";

const SHORTCUTS: readonly [string, keyof (typeof en)["keys"]][] = [
  ["mod+k", "palette"],
  ["mod+shift+o", "new"],
  ["mod+f", "find"],
  ["/", "template"],
  ["@", "agent"],
  ["#", "attach"],
  ["escape", "stop"],
  ["arrowup", "edit"],
  ["j", "next"],
  ["k", "previous"],
  ["?", "help"],
];

/** All shortcuts. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const texts = useShellTexts();
  return (
    <Dialog title={texts.keyboard} size="small" onClose={onClose}>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2">
        {SHORTCUTS.map(([key, name]) => (
          <div key={key} className="col-span-2 grid grid-cols-subgrid">
            <dt>{texts.keys[name]}</dt>
            <dd>
              <Key>{describeKey(key)}</Key>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
