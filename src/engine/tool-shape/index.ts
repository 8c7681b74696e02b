export { namesChange, namesOnlyReading, namesRemoval, wordsOfToolName } from './field-meaning.ts'
export { inferToolShape } from './infer-tool-shape.ts'
export { urlsOfMcpTool } from './page-urls.ts'
export { scanToolInput } from './tool-input.ts'
