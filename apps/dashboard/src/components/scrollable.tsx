import type { ComponentProps } from 'react'

/** What scrolls within itself must be reachable by keyboard, and must then say what it is. */
export const Scrollable = ({ label, ...rest }: Omit<ComponentProps<'section'>, 'aria-label'> & { label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
  <section {...rest} aria-label={label} tabIndex={0} />
)
