import type { ReactNode } from "react";
import { join } from "../ui/join.ts";
import { type GraphNode, placeNodes, type PlacedNode } from "./layer-graph.ts";

export interface ShownNode extends GraphNode {
  label: string;
  /** A second line: its state. */
  note: ReactNode;
}

interface GraphProps {
  /** What the graph shows; read to those who cannot see it. */
  label: string;
  nodes: readonly ShownNode[];
  selected: string | undefined;
  onSelect: (id: string) => void;
}

const WIDTH = 176;
const HEIGHT = 56;
const GAP_X = 48;
const GAP_Y = 16;
const MARGIN = 4;

/** A graph from left to right. Its nodes are buttons, usable by keyboard. */
export function Graph({ label, nodes, selected, onSelect }: GraphProps) {
  const placed = placeNodes(nodes);
  const columns = Math.max(0, ...placed.map(({ column }) => column)) + 1;
  const rows = Math.max(0, ...placed.map(({ row }) => row)) + 1;
  const width = columns * (WIDTH + GAP_X) - GAP_X + 2 * MARGIN;
  const height = rows * (HEIGHT + GAP_Y) - GAP_Y + 2 * MARGIN;
  return (
    <div role="group" aria-label={label} className="overflow-x-auto">
      <div className="relative" style={{ width, height }}>
        <Edges placed={placed} width={width} height={height} />
        {placed.map((place) => (
          <Node
            key={place.node.id}
            place={place}
            isSelected={place.node.id === selected}
            onSelect={onSelect}
          />
        ))}
      </div>
    </div>
  );
}

const leftOf = ({ column }: PlacedNode<ShownNode>) => MARGIN + column * (WIDTH + GAP_X);
const topOf = ({ row }: PlacedNode<ShownNode>) => MARGIN + row * (HEIGHT + GAP_Y);

interface EdgesProps {
  placed: readonly PlacedNode<ShownNode>[];
  width: number;
  height: number;
}

function Edges({ placed, width, height }: EdgesProps) {
  const places = new Map(placed.map((place) => [place.node.id, place]));
  const edges = placed.flatMap((to) =>
    to.node.after.flatMap((id) => {
      const from = places.get(id);
      return from ? [{ key: `${id} ${to.node.id}`, path: curveOf(from, to) }] : [];
    }),
  );
  return (
    <svg
      aria-hidden
      width={width}
      height={height}
      className="absolute inset-0 text-control"
    >
      {edges.map(({ key, path }) => (
        <path key={key} d={path} fill="none" stroke="currentColor" strokeWidth={1.5} />
      ))}
    </svg>
  );
}

function curveOf(from: PlacedNode<ShownNode>, to: PlacedNode<ShownNode>): string {
  const x1 = leftOf(from) + WIDTH;
  const y1 = topOf(from) + HEIGHT / 2;
  const x2 = leftOf(to);
  const y2 = topOf(to) + HEIGHT / 2;
  const bend = GAP_X / 2;
  return `M ${x1} ${y1} C ${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

interface NodeProps {
  place: PlacedNode<ShownNode>;
  isSelected: boolean;
  onSelect: (id: string) => void;
}

function Node({ place, isSelected, onSelect }: NodeProps) {
  const { id, label, note } = place.node;
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      title={label}
      onClick={() => onSelect(id)}
      style={{ left: leftOf(place), top: topOf(place), width: WIDTH, height: HEIGHT }}
      className={join(
        "absolute grid content-center rounded-lg border bg-raised px-3 text-left hover:bg-hover",
        isSelected ? "border-accent" : "border-hairline",
      )}
    >
      <bdi className="block truncate font-medium">{label}</bdi>
      <span className="block truncate text-xs">{note}</span>
    </button>
  );
}
