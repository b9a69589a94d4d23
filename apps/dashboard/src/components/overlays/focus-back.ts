import { useRef } from 'react'
import { CONTENT_ID } from './menu.tsx'

/** An item of a menu is gone when the dialog closes; the button that opened the menu is not. */
const openerIn = (element: Element | null) => {
  const menu = element?.closest('[role=menu]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
}

/**
 * A dialog gives the focus back to what had it when it opened. Radix does so for a trigger inside of the dialog; ours are
 * opened by state. If that is gone, such as the row that was just deleted, the page's content has it.
 */
export const useFocusBack = (open: boolean) => {
  const opener = useRef<Element | null>(null)
  const wasOpen = useRef(false)
  // While it renders: in an effect the menu that it was opened from would be gone, and the focus with it.
  if (open && !wasOpen.current) opener.current = openerIn(document.activeElement)
  wasOpen.current = open
  return (event: Event) => {
    event.preventDefault()
    const isThere = opener.current?.isConnected && opener.current !== document.body
    const target = isThere ? opener.current : document.getElementById(CONTENT_ID)
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
  }
}
