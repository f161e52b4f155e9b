import { useRef } from "react";

/** Opens the choice of files of the system. `input` belongs on the page; it is not seen. */
export function useFilePicker(onFiles: (files: File[]) => void) {
  const ref = useRef<HTMLInputElement>(null);
  const input = (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      onChange={(event) => {
        onFiles([...(event.target.files ?? [])]);
        event.target.value = "";
      }}
    />
  );
  return { input, open: () => ref.current?.click() };
}
