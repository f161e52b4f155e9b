import { CSPProvider } from "@base-ui/react/csp-provider";
import { Menu } from "@base-ui/react/menu";
import { Check, Star } from "lucide-react";
import {
  type FocusEvent,
  type KeyboardEvent,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { join } from "./join.ts";
import type { MenuGroup, MenuItem, MenuProps } from "./menu.tsx";
import { useUiTexts } from "./texts.ts";

interface ItemProps extends Omit<MenuItem, "key"> {
  id: string;
  isMany: boolean;
}

/** The menu itself; see `menu.tsx`. */
export function FloatingMenu(props: MenuProps & { isOpenAtFirst: boolean }) {
  const { label, trigger, triggerClass, groups, side = "bottom", align = "start" } = props;
  const { isMany = false, search } = props;
  const [words, setWords] = useState("");
  const shown = narrow(groups, words);
  const isSearched = search !== undefined && countOf(groups) > MAX_UNSEARCHED;
  const [open, setOpen] = useState(props.isOpenAtFirst);
  const button = useRef<HTMLButtonElement>(null);
  const [isAbove, setAbove] = useState(false);
  const field = useFieldFirst();
  useLayoutEffect(() => {
    if (open && side === "roomier" && button.current)
      setAbove(hasMoreAbove(button.current));
  }, [open, side]);
  // what stands outside of a modal dialog cannot be used
  const dialog = button.current?.closest("dialog") ?? undefined;
  return (
    <CSPProvider disableStyleElements>
      <Menu.Root
        open={open}
        onOpenChange={(isOpen) => {
          setOpen(isOpen);
          field.reset();
          props.onOpenChange?.(isOpen);
          if (!isOpen) setWords("");
        }}
      >
        <Menu.Trigger
          ref={button}
          aria-label={label}
          title={label}
          className={triggerClass}
        >
          {trigger}
        </Menu.Trigger>
        <Menu.Portal container={dialog}>
          <Menu.Positioner
            side={side === "roomier" ? (isAbove ? "top" : "bottom") : side}
            align={align}
            sideOffset={4}
            className="z-50 outline-none"
          >
            <Menu.Popup
              {...(isSearched && { role: "dialog", ...field.popup })} // a menu has items alone, and no field
              className={
                "animate-appear max-h-(--available-height) min-w-48 max-w-80 overflow-y-auto " +
                "rounded-lg border border-hairline-strong bg-raised p-1 shadow-3 outline-none"
              }
            >
              {isSearched && <Search label={search} words={words} onChange={setWords} />}
              {shown.length === 0 && <Nothing />}
              <div
                {...(isSearched && { role: "menu", "aria-label": label })}
                className={isSearched ? "min-w-64" : undefined}
                hidden={shown.length === 0}
              >
                {shown.map(({ key, ...group }) => (
                  <Group key={key} {...group} isMany={isMany} />
                ))}
              </div>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </CSPProvider>
  );
}

/**
 * A menu that is opened by keyboard focuses its first item. Where it has a field, that comes first:
 * until a key or the pointer is used in the menu, the focus goes back to it, and what is chosen is
 * in sight.
 */
function useFieldFirst() {
  const isUsed = useRef(false);
  const showChecked = useCallback((popup: HTMLElement | null) => {
    if (!popup) return undefined;
    // it gets its height and its items after it opens
    const observer = new ResizeObserver(() => {
      if (!isUsed.current) scrollToChecked(popup);
    });
    for (const part of [popup, ...popup.children]) observer.observe(part);
    return () => observer.disconnect();
  }, []);
  const use = () => void (isUsed.current = true);
  return {
    reset: () => void (isUsed.current = false),
    popup: {
      ref: showChecked,
      onKeyDownCapture: use,
      onPointerMoveCapture: use,
      onPointerDownCapture: use,
      onWheelCapture: use,
      onFocusCapture({ currentTarget, target }: FocusEvent<HTMLElement>) {
        if (isUsed.current || target instanceof HTMLInputElement) return;
        currentTarget.querySelector<HTMLElement>("input[type=search]")?.focus();
      },
    },
  };
}

/** Brings the first item that is chosen into the middle of its menu, unless it is in sight. */
function scrollToChecked(popup: HTMLElement): void {
  const item = popup.querySelector("[role=menuitemradio][aria-checked=true]");
  if (!item) return;
  const { top, bottom } = popup.getBoundingClientRect();
  const place = item.getBoundingClientRect();
  if (place.top >= top && place.bottom <= bottom) return;
  popup.scrollTop += (place.top + place.bottom - top - bottom) / 2;
}

function hasMoreAbove(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top > window.innerHeight - bottom;
}

/** More items than these are worth a field to search them. */
const MAX_UNSEARCHED = 8;

function countOf(groups: readonly MenuGroup[]): number {
  return groups.reduce((sum, { items }) => sum + items.length, 0);
}

/** The items that have the words, or whose group has, by groups, without the empty ones. */
function narrow(groups: readonly MenuGroup[], words: string): MenuGroup[] {
  const wanted = words.trim().toLowerCase();
  const has = ({ label, note = "" }: MenuItem, heading = "") =>
    `${label} ${note} ${heading}`.toLowerCase().includes(wanted);
  return groups
    .map((group) => {
      return { ...group, items: group.items.filter((item) => has(item, group.label)) };
    })
    .filter(({ items }) => items.length > 0);
}

interface SearchProps {
  label: string;
  words: string;
  onChange: (words: string) => void;
}

/** Narrows the menu. Its keys are its own, but for those that leave it. */
function Search({ label, words, onChange }: SearchProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape" || event.key === "Tab") return;
    event.stopPropagation();
    if (event.key !== "ArrowDown" && event.key !== "Enter") return;
    event.preventDefault();
    const first = event.currentTarget
      .closest("[role=dialog]")
      ?.querySelector<HTMLElement>("[role^=menuitem]");
    if (event.key === "Enter") first?.click();
    else first?.focus();
  };
  return (
    <input
      type="search"
      autoFocus
      aria-label={label}
      placeholder={label}
      value={words}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={onKeyDown}
      className={
        "sticky -top-1 z-10 -mx-1 -mt-1 mb-1 block w-[calc(100%+0.5rem)] border-b " +
        "border-hairline bg-raised px-3.5 py-2.5 outline-none pointer-coarse:min-h-11 " +
        "[&::-webkit-search-cancel-button]:hidden"
      }
    />
  );
}

function Nothing() {
  const texts = useUiTexts();
  return <p className="px-2.5 py-1 text-muted">{texts.nothingFound}</p>;
}

function Group({ label, items, isMany }: Omit<MenuGroup, "key"> & { isMany: boolean }) {
  const chosen = items.find(({ checked }) => checked)?.key ?? "";
  const isChoice = !isMany && items.some(({ checked }) => checked !== undefined);
  const content = items.map(({ key, ...item }) => (
    <Item key={key} id={key} isMany={isMany} {...item} />
  ));
  return (
    <Menu.Group className="border-hairline not-first:mt-1 not-first:border-t not-first:pt-1">
      {label && (
        <Menu.GroupLabel className="px-2.5 py-1 text-xs font-medium text-muted">
          {label}
        </Menu.GroupLabel>
      )}
      {isChoice ? <Menu.RadioGroup value={chosen}>{content}</Menu.RadioGroup> : content}
    </Menu.Group>
  );
}

function Item({
  id,
  checked,
  isDanger,
  disabled = false,
  isMany,
  onChoose,
  star,
  ...content
}: ItemProps) {
  const look = join(
    "flex min-h-8 items-center gap-2.5 rounded-md px-2.5 py-1 outline-none select-none",
    "pointer-coarse:min-h-11 data-highlighted:bg-hover data-disabled:opacity-50",
    isDanger && "text-danger [&_svg]:text-danger",
  );
  if (checked === undefined) {
    return (
      <Menu.Item className={look} disabled={disabled} onClick={onChoose}>
        <ItemContent {...content} />
      </Menu.Item>
    );
  }
  if (isMany) {
    return (
      <Menu.CheckboxItem
        checked={checked}
        className={look}
        closeOnClick={false}
        disabled={disabled}
        onCheckedChange={onChoose}
      >
        <ItemContent {...content} />
        {checked && <Check aria-hidden size={16} className="text-accent" />}
      </Menu.CheckboxItem>
    );
  }
  const radio = (
    <Menu.RadioItem
      value={id}
      className={join(look, star && "min-w-0 flex-1")}
      {...(star && { onKeyDown: toStar })}
      closeOnClick
      disabled={disabled}
      onClick={onChoose}
    >
      <ItemContent {...content} />
      {checked && <Check aria-hidden size={16} className="text-accent" />}
    </Menu.RadioItem>
  );
  if (!star) return radio;
  return (
    <div role="none" className="flex items-center">
      {radio}
      <StarButton {...star} />
    </div>
  );
}

/**
 * Marks the item before it. It is no item of its own, which the arrows down and up would stop at:
 * the one to the right leads to it, and the one to the left back.
 */
function StarButton({ label, isOn, onToggle }: NonNullable<MenuItem["star"]>) {
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key === "ArrowLeft") focusBeside(event, "previousElementSibling");
    // the menu would take them for its item
    if (event.key === "Enter" || event.key === " ") event.stopPropagation();
  };
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      aria-checked={isOn}
      aria-label={label}
      title={label}
      tabIndex={-1}
      onClick={onToggle}
      onKeyDown={onKeyDown}
      className={
        "grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-hover " +
        "aria-checked:text-accent aria-checked:[&>svg]:fill-accent pointer-coarse:size-11"
      }
    >
      <Star aria-hidden size={16} strokeWidth={1.75} />
    </button>
  );
}

function toStar(event: KeyboardEvent): void {
  if (event.key === "ArrowRight") focusBeside(event, "nextElementSibling");
}

function focusBeside(
  event: KeyboardEvent,
  side: "previousElementSibling" | "nextElementSibling",
): void {
  const other = event.currentTarget[side];
  if (!(other instanceof HTMLElement)) return;
  event.preventDefault();
  event.stopPropagation();
  other.focus();
}

function ItemContent({
  label,
  note,
  icon: Icon,
  tile,
}: Pick<MenuItem, "label" | "note" | "icon" | "tile">) {
  return (
    <>
      {tile}
      {Icon && (
        <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
      )}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{label}</span>
        {note && <span className="block truncate text-xs text-muted">{note}</span>}
      </span>
    </>
  );
}
