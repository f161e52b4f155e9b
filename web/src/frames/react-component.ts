import * as React from "react";
import * as jsxRuntime from "react/jsx-runtime";
import * as ReactDom from "react-dom";
import { createRoot } from "react-dom/client";
import { transform } from "sucrase";

/** What a component may import. */
const MODULES: Readonly<Record<string, unknown>> = {
  react: React,
  "react/jsx-runtime": jsxRuntime,
  "react-dom": ReactDom,
  "react-dom/client": { createRoot },
};

/** A component without an export is known by this name. */
const UNNAMED = "App";

/**
 * Renders the component that a source exports, in JSX or TypeScript.
 * @throws Error for a source that cannot be read, or that has no component.
 */
export function renderComponent(
  root: HTMLElement,
  source: string,
  onError: (error: unknown) => void,
): void {
  const Component = componentOf(source);
  createRoot(root, { onUncaughtError: onError, onRecoverableError: onError }).render(
    React.createElement(Component),
  );
}

function componentOf(source: string): React.ComponentType {
  const { code } = transform(source, {
    transforms: ["jsx", "typescript", "imports"],
    jsxRuntime: "automatic",
    production: true,
    filePath: "component.tsx",
  });
  const exported: Record<string, unknown> = {};
  const module = { exports: exported };
  // the frame is made for this: what runs here has no origin and no network
  // oxlint-disable-next-line no-new-func, no-implied-eval
  const run = new Function(
    "require",
    "module",
    "exports",
    "React",
    `${code}\n;if (typeof ${UNNAMED} === "function") module.unnamed = ${UNNAMED};`,
  ) as (...values: unknown[]) => void;
  run(requireModule, module, exported, React);
  const { default: main, ...others } = module.exports;
  const named = Object.values(others).find((one) => typeof one === "function");
  const { unnamed } = module as { unnamed?: unknown };
  const component = main ?? unnamed ?? named;
  if (!component)
    throw new Error("There is no component. Export one: export default function App() …");
  return component as React.ComponentType;
}

function requireModule(name: string): unknown {
  const found = MODULES[name];
  if (!found)
    throw new Error(
      `“${name}” is not here. A component imports ${Object.keys(MODULES).slice(0, 1).join()} alone.`,
    );
  return found;
}
