import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'

/** The name that people know. */
export const ProcessorLabel = ({ name }: { name: string }) => {
  const { program } = useProgram()
  const processors = useCall('get /api/programs/{programId}/processors', { programId: program.id })
  return processors.data?.data.find(({ processor }) => processor === name)?.label ?? name
}
