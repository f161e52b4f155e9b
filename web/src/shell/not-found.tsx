import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { buttonLook } from "../ui/button.tsx";
import { Empty } from "../ui/states.tsx";
import { useShellTexts } from "./texts.ts";

export function NotFound() {
  const texts = useShellTexts();
  return (
    <div className="grid h-full content-center pb-[12vh]">
      <Empty
        icon={Compass}
        title={texts.notFound}
        action={
          <Link to="/" className={buttonLook()}>
            {texts.toStart}
          </Link>
        }
      >
        {texts.notFoundHint}
      </Empty>
    </div>
  );
}
