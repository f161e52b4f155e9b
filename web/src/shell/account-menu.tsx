import { useQuery } from "@tanstack/react-query";
import { Keyboard, LogOut } from "lucide-react";
import {
  chooseLanguage,
  type Language,
  LANGUAGES,
  useLanguage,
} from "../texts/language.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Menu } from "../ui/menu.tsx";
import { meQuery } from "./queries.ts";
import { useSignOut } from "./sign-out.ts";
import { useShellTexts } from "./texts.ts";
import { chooseTheme, THEMES, useTheme } from "./theme.ts";

/** Who is signed in, with appearance, language and sign-out. */
export function AccountMenu({ onShowKeys }: { onShowKeys: () => void }) {
  const texts = useShellTexts();
  const { data: me } = useQuery(meQuery);
  const theme = useTheme();
  const language = useLanguage();
  const signOut = useSignOut();
  const languages = Object.entries(LANGUAGES) as [Language, string][]; // of a constant
  return (
    <Menu
      label={`${texts.account}: ${me?.name ?? ""}`}
      side="top"
      triggerClass={
        "flex w-full min-w-0 items-center gap-2 rounded-md px-2 py-1.5 text-left " +
        "hover:bg-sunken pointer-coarse:min-h-11"
      }
      trigger={
        <>
          <Avatar name={me?.name ?? ""} />
          <span className="min-w-0 flex-1 truncate">{me?.name}</span>
        </>
      }
      groups={[
        {
          key: "theme",
          label: texts.theme,
          items: THEMES.map((key) => ({
            key,
            label: texts.themes[key],
            checked: key === theme,
            onChoose: () => chooseTheme(key),
          })),
        },
        {
          key: "language",
          label: texts.language,
          items: languages.map(([key, label]) => ({
            key,
            label,
            checked: key === language,
            onChoose: () => chooseLanguage(key),
          })),
        },
        {
          key: "rest",
          items: [
            { key: "keys", label: texts.keyboard, icon: Keyboard, onChoose: onShowKeys },
            { key: "out", label: texts.signOut, icon: LogOut, onChoose: signOut },
          ],
        },
      ]}
    />
  );
}
