import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/states.tsx";
import { useChange } from "../use-change.ts";
import { connectAccount, connectionQuery } from "./account-queries.ts";
import { useConnectTexts } from "./texts.ts";
import { ValuesDialog } from "./values-dialog.tsx";

/**
 * Asks for what a tool server that a call waits for wants of the user; or leaves for its sign-in,
 * and comes back here.
 */
export function ConnectForCall({ server }: { server: string }) {
  const texts = useConnectTexts();
  const [isFilling, setFilling] = useState(false);
  const connection = useQuery(connectionQuery(server));
  const connect = useChange({ run: () => connectAccount(server), keys: [] });
  const values = connection.data?.values ?? [];
  return (
    <div className="grid justify-items-start gap-2">
      <Button
        look="primary"
        busy={connection.isPending || connect.isPending}
        onClick={() => (values.length > 0 ? setFilling(true) : connect.mutate())}
      >
        {values.length > 0 ? texts.fillIn(server) : texts.connectAccount(server)}
      </Button>
      {connect.error && <Problem error={connect.error} />}
      {isFilling && (
        <ValuesDialog server={server} values={values} onClose={() => setFilling(false)} />
      )}
    </div>
  );
}
