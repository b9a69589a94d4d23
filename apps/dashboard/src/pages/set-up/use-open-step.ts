import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { isStepDone, openSteps, STEP_NAMES, type StepName, type Steps } from './steps.ts'

/** `name` is null if the reader closed the step. */
type Choice = { name: StepName | null; wasDone: boolean }

/** One step is open: the first that is not done, or the one that the reader chose, until it is done. Addresses end with `#name`. */
export const useOpenStep = (steps: Steps) => {
  const { hash } = useLocation()
  const choose = (name: StepName | null): Choice => ({ name, wasDone: name !== null && isStepDone(steps, name) })
  const [choice, setChoice] = useState(() => {
    const named = STEP_NAMES.find((name) => name === hash)
    return named ? choose(named) : null
  })
  const isSettled = choice?.name && !choice.wasDone && isStepDone(steps, choice.name)
  const open = choice && !isSettled ? choice.name : (openSteps(steps)[0] ?? null)
  return { open, toggle: (name: StepName) => setChoice(choose(name === open ? null : name)) }
}
