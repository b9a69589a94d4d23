/** Storage and cookies throw where they are switched off, as in a sandboxed frame. The page must not see it. */
export const attempt = <Value>(act: () => Value): Value | undefined => {
  try {
    return act()
  } catch (_) {}
}
