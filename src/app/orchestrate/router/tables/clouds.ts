import type { CueTable } from './cue-table.ts'

/** Cues for cloud providers: 3 names the provider; 1 is a word others use too, and alone is not enough. */
export const CLOUD_CUES = {
  aws: {
    en: {
      3: `aws, amazon web services, ec2, ecs, eks, fargate, dynamodb, cloudfront, cloudformation, redshift, s3, aurora, elastic beanstalk, sagemaker,
          route 53, cloudwatch, cdk, kinesis`,
      1: 'lambda, lambdas, sqs, sns, rds, api gateway, bucket, iam, amplify, glue, athena, step functions, amazon, cognito',
    },
  },
  gcp: {
    en: {
      3: 'gcp, google cloud, cloud run, bigquery, gke, firestore, cloud function*, pub sub, pubsub, gcs, cloud storage, app engine, vertex ai, cloud build, compute engine, cloud sql, 谷歌云',
      1: 'firebase, spanner, bucket, dataflow, google',
    },
  },
  azure: {
    en: {
      3: 'azure, cosmos db, cosmosdb, app service, aks, synapse, azure devops, entra, arm template*, bicep, azure function*, blob storage',
      1: 'microsoft cloud, active directory, service bus, key vault, event hub',
    },
  },
} as const satisfies Record<string, CueTable>

/** The minimum points for a cloud to be chosen. */
export const CLOUD_THRESHOLD = 2
