import { useRef } from 'react'
import { CONTENT_ID } from './menu.tsx'

/** A menu item disappears when the dialog closes, so return to the button that opened the menu. */
const findOpener = (element: Element | null) => {
  const menu = element?.closest('[role=menu]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
}

/**
 * Returns the focus to the element that opened the dialog. Radix does that only for its own triggers; ours open by state.
 * If the element is gone, such as a deleted row, the main content gets the focus.
 */
export const useRestoreFocus = (open: boolean) => {
  const opener = useRef<Element | null>(null)
  const wasOpen = useRef(false)
  // Runs during render: by the time of an effect, the menu and its focus would be gone.
  if (open && !wasOpen.current) opener.current = findOpener(document.activeElement)
  wasOpen.current = open
  return (event: Event) => {
    event.preventDefault()
    const canFocus = opener.current?.isConnected && opener.current !== document.body
    const target = canFocus ? opener.current : document.getElementById(CONTENT_ID)
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
  }
}
