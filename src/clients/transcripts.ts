export { transcriptFormats } from './desks.ts'
export type {
  TranscriptEvent,
  TranscriptFile,
  TranscriptFormat,
  TranscriptHead,
  TranscriptLineReader,
} from './transcribing.ts'
