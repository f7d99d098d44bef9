; Vehicles carry packages on roads; a drive costs the length of the road.
(define (domain transport)
  (:requirements :strips :typing :action-costs)
  (:types place thing amount - object vehicle package - thing)
  (:predicates
    (at ?t - thing ?p - place)
    (inside ?x - package ?v - vehicle)
    (road ?p ?q - place)
    (room ?v - vehicle ?a - amount)
    (one-less ?a ?b - amount))
  (:functions
    (total-cost) - number
    (length ?p ?q - place) - number)

  (:action drive
    :parameters (?v - vehicle ?from ?to - place)
    :precondition (and (at ?v ?from) (road ?from ?to))
    :effect (and (not (at ?v ?from)) (at ?v ?to)
                 (increase (total-cost) (length ?from ?to))))

  (:action pick-up
    :parameters (?v - vehicle ?p - place ?x - package ?after ?before - amount)
    :precondition (and (at ?v ?p) (at ?x ?p) (room ?v ?before) (one-less ?after ?before))
    :effect (and (not (at ?x ?p)) (inside ?x ?v)
                 (not (room ?v ?before)) (room ?v ?after)
                 (increase (total-cost) 1)))

  (:action drop
    :parameters (?v - vehicle ?p - place ?x - package ?before ?after - amount)
    :precondition (and (at ?v ?p) (inside ?x ?v) (room ?v ?before) (one-less ?before ?after))
    :effect (and (not (inside ?x ?v)) (at ?x ?p)
                 (not (room ?v ?before)) (room ?v ?after)
                 (increase (total-cost) 1))))
