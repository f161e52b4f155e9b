import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown, Keyboard, LogOut } from "lucide-react";
import { sessionClosed } from "../api/session.ts";
import { type Language, LANGUAGES, useLanguage } from "../texts/language.ts";
import { Avatar } from "../ui/avatar.tsx";
import { join } from "../ui/join.ts";
import { Menu } from "../ui/menu.tsx";
import { deleteDrafts } from "./drafts.ts";
import { forgetSwitches } from "./known-switches.ts";
import { useChoose } from "./preferences.ts";
import { meQuery, signOut } from "./queries.ts";
import { useShellTexts } from "./texts.ts";
import { theme } from "./theme.ts";
import { useAreas } from "./use-areas.ts";

interface AccountMenuProps {
  onShowKeys: () => void;
  isFolded: boolean;
}

/** Who is signed in: what is theirs, appearance, language and sign-out. */
export function AccountMenu({ onShowKeys, isFolded }: AccountMenuProps) {
  const texts = useShellTexts();
  const { data: me } = useQuery(meQuery);
  const navigate = useNavigate();
  const areas = useAreas().filter(({ place }) => place === "account");
  const chosenTheme = theme.use();
  const choose = useChoose();
  const language = useLanguage();
  const leave = useSignOut();
  const languages = Object.entries(LANGUAGES) as [Language, string][]; // of a constant
  return (
    <div className="border-t border-hairline px-2.5 py-2">
      <Menu
        label={`${texts.account}: ${me?.name ?? ""}`}
        side="top"
        triggerClass={join(
          "flex min-h-11 w-full min-w-0 items-center gap-2.5 rounded-md text-left hover:bg-hover",
          isFolded ? "justify-center" : "px-2",
        )}
        trigger={
          <>
            <Avatar name={me?.name ?? ""} />
            {!isFolded && (
              <>
                <span className="min-w-0 flex-1 truncate font-medium">{me?.name}</span>
                <ChevronsUpDown aria-hidden size={14} className="shrink-0 text-muted" />
              </>
            )}
          </>
        }
        groups={[
          {
            key: "areas",
            items: areas.map(({ to, label, icon }) => ({
              key: to,
              label: texts.areas[label],
              icon,
              onChoose: () => void navigate({ to }),
            })),
          },
          {
            key: "theme",
            label: texts.theme,
            items: theme.choices.map((key) => ({
              key,
              label: texts.themes[key],
              checked: key === chosenTheme,
              onChoose: () => choose({ theme: key }),
            })),
          },
          {
            key: "language",
            label: texts.language,
            items: languages.map(([key, label]) => ({
              key,
              label,
              checked: key === language,
              onChoose: () => choose({ language: key }),
            })),
          },
          {
            key: "rest",
            items: [
              { key: "keys", label: texts.keyboard, icon: Keyboard, onChoose: onShowKeys },
              { key: "out", label: texts.signOut, icon: LogOut, onChoose: leave },
            ],
          },
        ]}
      />
    </div>
  );
}

/** Ends the session, and removes from this browser what the person typed and was offered. */
function useSignOut(): () => void {
  return () => {
    sessionClosed();
    forgetSwitches();
    void signOut()
      .catch(() => {}) // the session may have ended already
      .then(deleteDrafts)
      .then(() => location.assign("/sign-in"));
  };
}
