/** Swallows errors: storage and cookies throw if they are disabled, as in a sandboxed frame, and the page must not notice. */
export const attempt = <Value>(act: () => Value): Value | undefined => {
  try {
    return act()
  } catch (_) {}
}
