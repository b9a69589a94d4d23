import type { SetUp } from '@tributary/contract'

export type Steps = SetUp['steps']

/** Every step's title, in order. */
export const STEP_TITLES = {
  partner: 'Add a partner and their link',
  reward: 'Set a reward',
  script: 'Install the script',
  signUps: 'Track leads',
  payments: 'Track sales',
}
export type StepName = keyof typeof STEP_TITLES

export const STEP_NAMES = Object.keys(STEP_TITLES) as StepName[]

/** A link needs a website to point to and a partner to credit. */
export const isStepDone = (steps: Steps, name: StepName) =>
  name === 'partner' ? steps.website.done && steps.partner.done && steps.link.done : steps[name].done

export const openSteps = (steps: Steps) => STEP_NAMES.filter((name) => !isStepDone(steps, name))
