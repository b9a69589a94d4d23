import type { Program } from '@tributary/contract'
import { SETTING_PERMISSIONS } from '@tributary/contract/setting-permissions'
import type { ProgramContext } from '~/app/program-context.ts'

export type SectionProps = { program: Program; error: unknown; disabled: boolean; may: ProgramContext['may'] }

type Lock = Pick<SectionProps, 'may' | 'disabled'>

/** Locks a setting the role can see but not change, and says who can. */
export const lockSetting = ({ may, disabled }: Lock, name: keyof typeof SETTING_PERMISSIONS) => {
  const isLocked = !disabled && !may(SETTING_PERMISSIONS[name])
  return {
    control: { name, disabled: isLocked },
    hint: (text: string) => (isLocked ? 'Only owners and admins can change this.' : text),
  }
}
