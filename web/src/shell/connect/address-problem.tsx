import { useMutation } from "@tanstack/react-query";
import { toFailure } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/states.tsx";
import { allowAddress } from "./queries.ts";
import { useConnectTexts } from "./texts.ts";

interface AddressProblemProps {
  error: unknown;
  /** Tries again what was refused. */
  onAllowed: () => void;
}

/** What went wrong; where an address is private, a button that allows it. */
export function AddressProblem({ error, onAllowed }: AddressProblemProps) {
  const texts = useConnectTexts();
  const address = refusedAddress(error);
  const allow = useMutation({ mutationFn: allowAddress, onSuccess: onAllowed });
  if (address === undefined) return <Problem error={error} />;
  return (
    <div
      role="alert"
      className="grid justify-items-start gap-3 rounded-r-md border-l-3 border-warn bg-warn-soft p-4"
    >
      <p>{texts.isPrivate(address)}</p>
      {allow.error && <Problem error={allow.error} />}
      <Button busy={allow.isPending} onClick={() => allow.mutate(address)}>
        {texts.allow(address)}
      </Button>
    </div>
  );
}

/** The address that may be allowed, if that is what is wrong. */
function refusedAddress(error: unknown): string | undefined {
  if (!error) return undefined;
  const { code, params } = toFailure(error);
  const target = params["target"];
  return code === "address_not_allowed" && typeof target === "string" ? target : undefined;
}
