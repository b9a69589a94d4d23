import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** Scrolls to the element and focuses its first field or button if the URL ends with `#name`. Links open a form this way. */
export const useFocusFromHash = <Element extends HTMLElement>(name: string) => {
  const target = useRef<Element>(null)
  const { hash } = useLocation()
  useEffect(() => {
    if (hash !== name) return
    target.current?.scrollIntoView({ block: 'start' })
    const find = (selector: string) => target.current?.querySelector<HTMLElement>(selector)
    const control = find('input, select, textarea') ?? find('button')
    control?.focus({ preventScroll: true })
  }, [hash, name])
  return target
}
