import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/states.tsx";
import { useChange } from "../use-change.ts";
import { connectAccount } from "./account-queries.ts";
import { useConnectTexts } from "./texts.ts";

/** Leaves for the sign-in of a tool server that a call waits for, and comes back here. */
export function ConnectForCall({ server }: { server: string }) {
  const texts = useConnectTexts();
  const connect = useChange({ run: () => connectAccount(server), keys: [] });
  return (
    <div className="grid justify-items-start gap-2">
      <Button look="primary" busy={connect.isPending} onClick={() => connect.mutate()}>
        {texts.connectAccount(server)}
      </Button>
      {connect.error && <Problem error={connect.error} />}
    </div>
  );
}
