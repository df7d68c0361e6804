import { useRef, useState } from "react";
import { useToast } from "./toasts.tsx";

const confirmedMs = 1_500;

/** Copies a text, and tells for a moment that it did. A browser that refuses is reported. */
export function useCopy(): { readonly isCopied: boolean; readonly copy: (text: string) => void } {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const toast = useToast();
  const copy = (text: string): void => {
    void writeText(text).then((isDone) => {
      if (!isDone) return toast("The browser did not allow copying. Select the text, and copy it by hand.");
      setCopied(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setCopied(false), confirmedMs);
    });
  };
  return { isCopied, copy };
}

/** Resolves to whether the text was copied. Without https there is no clipboard except by the old command. */
async function writeText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "fixed top-0 left-0 opacity-0";
  // A modal dialog makes everything outside of it inert.
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isDone;
}
