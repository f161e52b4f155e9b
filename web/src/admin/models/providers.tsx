import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { CloudOff, Plug, X, Plus } from "lucide-react";
import { useEffect, useState } from "react";
import { awaitsFirst } from "../../shell/awaits-first.ts";
import { ConnectForm } from "../../shell/connect/connect-form.tsx";
import { providerKindsQuery } from "../../shell/connect/queries.ts";
import { useList } from "../../shell/use-list.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Glyph } from "../../ui/glyph.tsx";
import { More } from "../../ui/more.tsx";
import { Section } from "../../ui/section.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { Health } from "./health.tsx";
import { ProviderActions } from "./provider-actions.tsx";
import {
  type Provider,
  type ProviderHealth,
  healthQuery,
  providersQuery,
  allowedAddressesQuery,
  revokeAddress,
} from "./queries.ts";
import { useModelNames } from "../../shell/use-models.ts";
import { useModelTexts } from "./texts.ts";
import { formatDate } from "../../texts/format.ts";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import { IconButton } from "../../ui/icon-button.tsx";

/** Where models run: accounts and servers. */
export function Providers() {
  const texts = useModelTexts();
  const found = useList(providersQuery);
  // what kinds are called stands in each card
  const isNamed = !awaitsFirst(useQuery(providerKindsQuery));
  const health = useHealth(found.data?.items.length ?? 0);
  const list =
    isNamed && health.isKnown ? found : { ...found, isPending: true, data: undefined };
  const isOffline = ({ kind }: Provider) => kind === "offline";
  const offline = list.data?.items.filter(isOffline) ?? [];
  const others = list.data?.items.filter((one) => !isOffline(one)) ?? [];
  const isEmpty = list.data !== undefined && others.length === 0 && !list.hasNextPage;
  const [isConnecting, setConnecting] = useState(false);
  const connect = (
    <Button look="primary" onClick={() => setConnecting(true)}>
      <Plus aria-hidden size={16} />
      {texts.connect}
    </Button>
  );
  return (
    <div className="grid gap-8">
      <PartSection
        title={texts.tabs.providers}
        hint={texts.providersHint}
        actions={!isEmpty && connect}
      >
        {list.isPending && <Loading shape="charts" lines={4} />}
        {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
        {isEmpty && (
          <Empty icon={Plug} picture="cards" title={texts.noProviders} action={connect}>
            {texts.noProvidersHint}
          </Empty>
        )}
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(22rem,100%),1fr))] gap-3">
          {others.map((provider) => (
            <ProviderCard
              key={provider.name}
              provider={provider}
              health={health.of.get(provider.name)}
            />
          ))}
        </ul>
        {offline.map((provider) => (
          <OfflineRow key={provider.name} provider={provider} />
        ))}
        <More list={list} />
        {isConnecting && (
          <Dialog title={texts.connect} onClose={() => setConnecting(false)}>
            <ConnectForm onClose={() => setConnecting(false)} />
          </Dialog>
        )}
      </PartSection>
      <AllowedAddresses />
    </div>
  );
}

/** The health of as many providers as are listed. It says nothing where it cannot be read. */
function useHealth(listed: number) {
  const health = useInfiniteQuery(healthQuery);
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = health;
  const items = data?.items ?? [];
  const lacksSome = hasNextPage && items.length < listed && !isFetching && !isError;
  useEffect(() => {
    if (lacksSome) void fetchNextPage();
  }, [lacksSome, fetchNextPage]);
  return {
    isKnown: !awaitsFirst(health),
    of: new Map(items.map((one) => [one.name, one])),
  };
}

interface ProviderCardProps {
  provider: Provider;
  health: ProviderHealth | undefined;
}

function ProviderCard({ provider, health }: ProviderCardProps) {
  const texts = useModelTexts();
  const kinds = useQuery(providerKindsQuery).data;
  const nameOf = useModelNames();
  const { name, kind, enabled, available, fromEnvironment } = provider;
  const displayName = nameOf(provider.displayName);
  const kindName = kinds?.find((one) => one.kind === kind)?.displayName ?? kind;
  return (
    <li className="grid grid-cols-1 content-start gap-2.5 rounded-lg border border-hairline bg-raised py-3">
      <div className="flex items-start gap-3 pr-2 pl-4">
        <Glyph value={null} id={name} name={displayName} />
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
          <div className="min-w-0 flex-1 basis-52">
            <p className="truncate font-medium" title={name}>
              <bdi>{displayName}</bdi>
            </p>
            <p className="truncate text-xs text-muted">
              <ProviderPlace provider={provider} kindName={kindName} />
            </p>
          </div>
          <span className="flex flex-wrap gap-1">
            {fromEnvironment && (
              <Badge title={texts.fromEnvironmentHint}>{texts.fromEnvironment}</Badge>
            )}
            {!enabled && <Badge look="warn">{texts.disabled}</Badge>}
            {!available && (
              <Badge look="danger" title={texts.keyGoneHint}>
                {texts.keyGone}
              </Badge>
            )}
          </span>
        </div>
        <ProviderActions provider={provider} />
      </div>
      {health && (
        <div className="px-4">
          <Health health={health} provider={displayName} />
        </div>
      )}
    </li>
  );
}

/** What answers without a model: no provider, so it stands apart from them. */
function OfflineRow({ provider }: Pick<ProviderCardProps, "provider">) {
  const texts = useModelTexts();
  const displayName = useModelNames()(provider.displayName);
  return (
    <div className="flex items-center gap-3 rounded-lg bg-sunken py-2 pr-2 pl-4">
      <CloudOff aria-hidden size={18} className="shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          <bdi>{displayName}</bdi>
        </p>
        <p className="text-sm text-muted">{texts.offlineHint}</p>
      </div>
      {!provider.enabled && <Badge look="warn">{texts.disabled}</Badge>}
      <ProviderActions provider={provider} />
    </div>
  );
}

/** What the name does not say already: the kind, and the server or the short name. */
function ProviderPlace({ provider, kindName }: ProviderPlaceProps) {
  const { name, displayName, config } = provider;
  const host = hostOf(config["baseUrl"]);
  const place = host ?? (sameWords(name, displayName) ? undefined : name);
  const hasKind = !sameWords(kindName, displayName);
  return (
    <>
      {hasKind && kindName}
      {hasKind && place !== undefined && " · "}
      {place !== undefined && <bdi>{place}</bdi>}
    </>
  );
}

interface ProviderPlaceProps {
  provider: Provider;
  kindName: string;
}

function sameWords(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function hostOf(address: unknown): string | undefined {
  return typeof address === "string" ? (URL.parse(address)?.host ?? undefined) : undefined;
}

/** Private addresses that administrators allowed. Nothing is shown while there is none. */
function AllowedAddresses() {
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
