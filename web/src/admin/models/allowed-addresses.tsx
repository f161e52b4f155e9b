import { X } from "lucide-react";
import { useState } from "react";
import { useList } from "../../shell/use-list.ts";
import { formatDate } from "../../texts/format.ts";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { More } from "../../ui/more.tsx";
import { Section } from "../../ui/section.tsx";
import { allowedAddressesQuery, revokeAddress } from "./queries.ts";
import { useModelTexts } from "./texts.ts";

/** Private addresses that administrators allowed. Nothing is shown while there is none. */
export function AllowedAddresses() {
  const texts = useModelTexts();
  const list = useList(allowedAddressesQuery);
  const [revoking, setRevoking] = useState<string>();
  if (!list.data || list.data.total === 0) return null;
  return (
    <Section title={texts.addresses} hint={texts.addressesHint}>
      <ul className="divide-y divide-hairline">
        {list.data.items.map(({ address, allowedAt }) => (
          <li key={address} className="flex items-center gap-3 py-1">
            <bdi className="min-w-0 flex-1 truncate font-mono text-sm">{address}</bdi>
            <span className="text-xs text-muted">{formatDate(allowedAt)}</span>
            <IconButton
              icon={X}
              label={texts.revokeAddress(address)}
              onClick={() => setRevoking(address)}
            />
          </li>
        ))}
      </ul>
      <More list={list} />
      {revoking !== undefined && (
        <Revocation address={revoking} onClose={() => setRevoking(undefined)} />
      )}
    </Section>
  );
}

function Revocation({ address, onClose }: { address: string; onClose: () => void }) {
  const texts = useModelTexts();
  return (
    <ConfirmChange
      title={texts.revokeAddress(address)}
      text={texts.revokeAddressText}
      action={texts.revoke}
      run={() => revokeAddress(address)}
      keys={[["providers"]]}
      done={texts.addressRevoked(address)}
      onClose={onClose}
    />
  );
}
