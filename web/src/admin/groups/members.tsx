import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useChange } from "../../shell/use-change.ts";
import { useList } from "../../shell/use-list.ts";
import { formatNumber } from "../../texts/format.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { More } from "../../ui/more.tsx";
import { notify } from "../../ui/notices.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { UserFinder } from "../users/user-finder.tsx";
import { describeSource } from "./describe-source.ts";
import {
  addMember,
  type Group,
  type Member,
  membersQuery,
  removeMember,
} from "./queries.ts";
import { useGroupTexts } from "./texts.ts";

/** A longer list has a search field. */
const FEW = 10;

/**
 * All members of a group, each with the reason of the membership. Only members that were added here
 * can be removed.
 */
export function Members({ group }: { group: Group }) {
  const texts = useGroupTexts();
  const { q } = useSearch({ from: "/app/admin/groups/$id" });
  const navigate = useNavigate();
  const list = useList(membersQuery(group.id, q));
  const keys = [["group", group.id, "members"], ["groups"], ["user"]];
  const add = useChange({ run: (userId: string) => addMember(group.id, userId), keys });
  const remove = useChange({
    run: ({ userId }: Member) => removeMember(group.id, userId),
    keys,
  });
  const onRemove = (member: Member) =>
    remove.mutate(member, {
      onSuccess: () =>
        notify(texts.removed(nameOf(member)), () => add.mutate(member.userId)),
    });
  const total = list.data?.total ?? 0;
  const error = add.error ?? remove.error;
  return (
    <Section title={texts.members} hint={texts.membersHint}>
      <UserFinder label={texts.addMember} onChoose={({ id }) => add.mutate(id)} />
      {error && <Problem error={error} />}
      {(total > FEW || q !== undefined) && (
        <SearchField
          label={texts.searchMembers(formatNumber(total))}
          value={q}
          onSearch={(next) =>
            void navigate({
              to: "/admin/groups/$id",
              params: { id: group.id },
              search: next ? { q: next } : {},
              replace: true,
            })
          }
        />
      )}
      {list.isPending && <Loading shape="list" lines={5} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && total === 0 && (
        <p className="text-muted">{q === undefined ? texts.noMembers : texts.nothing}</p>
      )}
      <ul className="divide-y divide-hairline" aria-label={texts.members}>
        {list.data?.items.map((member) => (
          <MemberRow
            key={member.userId}
            group={group}
            member={member}
            onRemove={onRemove}
          />
        ))}
      </ul>
      <More list={list} />
    </Section>
  );
}

const nameOf = ({ name, userId }: Member) => name || userId;

interface RowProps {
  group: Group;
  member: Member;
  onRemove: (member: Member) => void;
}

function MemberRow({ group, member, onRemove }: RowProps) {
  const texts = useGroupTexts();
  const { userId, email, sources } = member;
  const name = nameOf(member);
  const isAdded = sources.some(
    ({ groupId, kind }) => groupId === group.id && kind === "added",
  );
  return (
    <li className="flex items-center gap-3 py-1.5">
      <div className="min-w-0 flex-1">
        <Link
          to="/admin/users/$id/access"
          params={{ id: userId }}
          title={name}
          className="block truncate font-medium hover:underline"
        >
          <bdi>{name}</bdi>
        </Link>
        <p className="truncate text-xs text-muted">
          <bdi>{email}</bdi>
          {" · "}
          <bdi>
            {sources.map((source) => describeSource(texts, source, group.id)).join(", ")}
          </bdi>
        </p>
      </div>
      {isAdded && (
        <IconButton
          icon={X}
          label={`${texts.remove}: ${name}`}
          onClick={() => onRemove(member)}
        />
      )}
    </li>
  );
}
