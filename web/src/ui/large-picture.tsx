import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { buttonLook } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { join } from "./join.ts";
import { useUiTexts } from "./texts.ts";

interface LargePictureProps {
  name: string;
  address: string;
  /** Where it is saved from, and as what; absent where it cannot be. */
  save?: { address: string; fileName: string };
  /** Charts are drawn for white paper. */
  isOnPaper?: boolean;
  onClose: () => void;
}

/** A picture as large as the window allows. */
export function LargePicture(props: LargePictureProps): ReactNode {
  const { name, address, save, isOnPaper, onClose } = props;
  const texts = useUiTexts();
  return (
    <Dialog title={name} size="large" onClose={onClose}>
      <div className="grid gap-3">
        <img
          src={address}
          alt={name}
          className={join(
            "mx-auto max-h-[calc(100dvh-14rem)] w-auto max-w-full object-contain",
            isOnPaper && "bg-[white]",
          )}
        />
        {save && (
          <a
            href={save.address}
            download={save.fileName}
            className={join(buttonLook(), "justify-self-end")}
          >
            <Download aria-hidden size={16} />
            {texts.savePicture}
          </a>
        )}
      </div>
    </Dialog>
  );
}
