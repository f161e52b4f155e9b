import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { Empty } from "../ui/states.tsx";
import { useShellTexts } from "./texts.ts";

export function NotFound() {
  const texts = useShellTexts();
  return (
    <Empty
      icon={Compass}
      title={texts.notFound}
      action={
        <Link to="/" className="font-medium text-accent underline">
          {texts.toStart}
        </Link>
      }
    >
      {texts.notFoundHint}
    </Empty>
  );
}
