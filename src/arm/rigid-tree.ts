/**
 * Rigid copy of a tree: stiff links, rotors fixed to the joints. It is the model of a controller
 * that measures rotors only.
 */
import type { TreeJointModel, TreeModel } from '../model/tree-model.ts';

function rigidJoint(joint: TreeJointModel): TreeJointModel {
  if ((joint.kind !== 'revolute' && joint.kind !== 'prismatic') || joint.drive === undefined) {
    return joint;
  }
  return { ...joint, drive: { ...joint.drive, stiffness: null, damping: 0 } };
}

/** Copies a tree model without its flexibility. */
export function rigidTree(model: TreeModel): TreeModel {
  return {
    ...model,
    links: model.links.map(({ beam, joint, ...link }) => ({
      ...link,
      joint: rigidJoint(joint),
      ...(beam === undefined
        ? {}
        : {
            beam: {
              length: beam.length,
              bendingStiffness: beam.bendingStiffness,
              modes: [0, 0] as const,
              damping: 0,
              centrifugalStiffening: false,
            },
          }),
    })),
  };
}
