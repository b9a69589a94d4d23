import { useRef } from 'react'

/** The last value that was not null: a dialog keeps its content while it closes. */
export const useKept = <Value>(value: Value | null): Value | null => {
  const kept = useRef(value)
  if (value !== null) kept.current = value
  return kept.current
}
