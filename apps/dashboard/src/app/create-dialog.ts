import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    create?: boolean
  }
}

/** Sent with a navigation: opens the dialog of the page that creates something. */
export const CREATE = { create: true }

/** Whether a page's dialog for creating something is open. The command palette can open it too. */
export const useCreateDialog = () => {
  const [isOpen, setOpen] = useState(false)
  const { state } = useLocation()
  useEffect(() => {
    if ('create' in state) setOpen(true)
  }, [state])
  return [isOpen, setOpen] as const
}
