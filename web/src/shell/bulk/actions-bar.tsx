import type { QueryKey } from "@tanstack/react-query";
import { type LucideIcon, Trash2 } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ChosenBar } from "../../ui/chosen-bar.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { BulkReport } from "./report.tsx";
import type { BulkItem } from "./run-bulk.ts";
import { oneByOne, useBulk } from "./use-bulk.ts";

/** What is done to each of some things by a request of its own. */
interface BulkStep {
  act: (id: string) => Promise<unknown>;
  /** What was done, said of so many. */
  done: (count: number) => string;
}

interface BulkAction extends BulkStep {
  key: string;
  label: string;
  icon: LucideIcon;
  /** The chosen that it fits; without any it is not offered. */
  items: readonly BulkItem[];
  undo?: BulkStep;
}

interface BulkDeletion extends BulkStep {
  label: string;
  items: readonly BulkItem[];
  /** What is asked before; not where Undo takes it back. */
  asks?: { title: (count: number) => string; text: string };
  undo?: BulkStep;
}

interface ActionsBarProps extends Omit<ComponentProps<typeof ChosenBar>, "children"> {
  /** Beginnings of the keys of what is read again afterwards. */
  keys: readonly QueryKey[];
  actions?: readonly BulkAction[];
  deletion?: BulkDeletion | undefined;
}

/** What can be done with the chosen of a list, and which of them could not be changed. */
export function ActionsBar({ keys, actions = [], deletion, ...bar }: ActionsBarProps) {
  const bulk = useBulk(keys);
  const [isAsking, setAsking] = useState(false);
  const isBusy = bulk.state === "running";
  const start = ({ items, act, done, undo }: Omit<BulkDeletion, "label">) =>
    bulk.start({
      items,
      act: oneByOne(act),
      done,
      undo:
        undo &&
        ((changed) =>
          bulk.start({ items: changed, act: oneByOne(undo.act), done: undo.done })),
      onDone: bar.chosen.none,
    });
  return (
    <>
      <ChosenBar {...bar}>
        {actions
          .filter(({ items }) => items.length > 0)
          .map(({ key, label, icon: Icon, ...action }) => (
            <Button key={key} look="quiet" busy={isBusy} onClick={() => start(action)}>
              <Icon aria-hidden size={16} />
              {label}
            </Button>
          ))}
        {deletion && deletion.items.length > 0 && (
          <Button
            look="danger"
            busy={isBusy}
            onClick={() => (deletion.asks ? setAsking(true) : start(deletion))}
          >
            <Trash2 aria-hidden size={16} />
            {deletion.label}
          </Button>
        )}
      </ChosenBar>
      <div className="my-2 empty:hidden">
        <BulkReport bulk={bulk} />
      </div>
      {isAsking && deletion?.asks && (
        <Confirm
          title={deletion.asks.title(deletion.items.length)}
          text={deletion.asks.text}
          action={deletion.label}
          onConfirm={() => {
            start(deletion);
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface Switched extends BulkItem {
  isOn: boolean;
}

interface Switching {
  items: readonly Switched[];
  change: (id: string, isOn: boolean) => Promise<unknown>;
  icons: { on: LucideIcon; off: LucideIcon };
  labels: { on: string; off: string };
  done: { on: (count: number) => string; off: (count: number) => string };
}

/** Switches on what of the chosen is off, and off what is on; each takes back the other. */
export function switching({ items, change, icons, labels, done }: Switching): BulkAction[] {
  const step = (to: "on" | "off"): BulkStep => ({
    act: (id) => change(id, to === "on"),
    done: done[to],
  });
  const action = (to: "on" | "off", back: "on" | "off"): BulkAction => ({
    ...step(to),
    key: to,
    label: labels[to],
    icon: icons[to],
    items: items.filter(({ isOn }) => isOn === (back === "on")),
    undo: step(back),
  });
  return [action("on", "off"), action("off", "on")];
}
