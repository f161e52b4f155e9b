import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useChange } from "../../shell/use-change.ts";
import { useList } from "../../shell/use-list.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { More } from "../../ui/more.tsx";
import { notify } from "../../ui/notices.tsx";
import { Section } from "../../ui/section.tsx";
import { Problem } from "../../ui/states.tsx";
import { GroupFinder } from "./group-finder.tsx";
import {
  type Group,
  type ListedGroup,
  nestedQuery,
  nestGroup,
  parentsQuery,
  unnestGroup,
} from "./queries.ts";
import { useGroupTexts } from "./texts.ts";

/** The groups that a group contains, and those that contain it. */
export function NestedGroups({ group }: { group: Group }) {
  const texts = useGroupTexts();
  const list = useList(nestedQuery(group.id));
  const parents = useList(parentsQuery(group.id));
  const keys = [["group"], ["groups"], ["user"]];
  const nest = useChange({ run: (child: string) => nestGroup(group.id, child), keys });
  const unnest = useChange({
    run: ({ id }: ListedGroup) => unnestGroup(group.id, id),
    keys,
  });
  const onRemove = (child: ListedGroup) =>
    unnest.mutate(child, {
      onSuccess: () => notify(texts.unnested(child.name), () => nest.mutate(child.id)),
    });
  const error = list.error ?? nest.error ?? unnest.error;
  return (
    <>
      <Section title={texts.nested} hint={texts.nestedHint}>
        <GroupFinder
          label={texts.addGroup}
          without={group.id}
          onChoose={({ id }) => nest.mutate(id)}
        />
        {error && <Problem error={error} />}
        {list.data?.total === 0 && <p className="text-muted">{texts.noNested}</p>}
        <GroupList groups={list.data?.items} onRemove={onRemove} />
        <More list={list} />
      </Section>
      {parents.data && parents.data.total > 0 && (
        <Section title={texts.parents} hint={texts.parentsHint}>
          <GroupList groups={parents.data.items} />
          <More list={parents} />
        </Section>
      )}
    </>
  );
}

interface GroupListProps {
  groups: readonly ListedGroup[] | undefined;
  onRemove?: (group: ListedGroup) => void;
}

function GroupList({ groups, onRemove }: GroupListProps) {
  const texts = useGroupTexts();
  return (
    <ul className="divide-y divide-hairline empty:hidden">
      {groups?.map((group) => (
        <li key={group.id} className="flex items-center gap-3 py-1.5">
          <Link
            to="/admin/groups/$id"
            params={{ id: group.id }}
            title={group.name}
            className="min-w-0 flex-1 truncate font-medium hover:underline"
          >
            <bdi>{group.name}</bdi>
          </Link>
          <span className="text-xs text-muted">{texts.memberCount(group.memberCount)}</span>
          {onRemove && (
            <IconButton
              icon={X}
              label={`${texts.remove}: ${group.name}`}
              onClick={() => onRemove(group)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
