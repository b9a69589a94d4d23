import type { ComponentProps } from 'react'

/** Scroll containers must be reachable by keyboard and therefore need a name. */
export const Scrollable = ({ label, ...rest }: Omit<ComponentProps<'section'>, 'aria-label'> & { label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
  <section {...rest} aria-label={label} tabIndex={0} />
)
