import { type RefObject, useEffect, useState } from 'react'

/** Focuses an element once a change is on the screen, such as the field of an added rule. */
export const useFocusAfterRender = (container: RefObject<HTMLElement | null>) => {
  const [selector, setSelector] = useState<string | null>(null)
  useEffect(() => {
    if (selector === null) return
    container.current?.querySelector<HTMLElement>(selector)?.focus()
    setSelector(null)
  }, [selector, container])
  return setSelector
}
