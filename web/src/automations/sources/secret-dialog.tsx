import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Example } from "./example.tsx";
import { useSourceTexts } from "./texts.ts";

interface SecretDialogProps {
  url: string;
  secret: string;
  onClose: () => void;
}

/** The secret of a webhook, which nobody can read again, within an example that works. */
export function SecretDialog({ url, secret, onClose }: SecretDialogProps) {
  const texts = useSourceTexts();
  return (
    <Dialog title={texts.secretTitle} size="large" onClose={onClose}>
      <div className="grid grid-cols-1 gap-4">
        <p className="text-warn">{texts.secretOnce}</p>
        <output className="rounded-md bg-sunken p-3 font-mono text-xs wrap-anywhere select-all">
          {secret}
        </output>
        <p>{texts.webhookHint}</p>
        <Example url={url} secret={secret} />
        <Button look="primary" className="justify-self-end" onClick={onClose}>
          {texts.done}
        </Button>
      </div>
    </Dialog>
  );
}
